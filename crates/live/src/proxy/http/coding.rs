//! What a compressed body says, read piece by piece. What may not enter: the traffic, which stays compressed.

use std::io::{self, Write};
use std::mem;

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use hyper::HeaderMap;
use hyper::header::CONTENT_ENCODING;

/// So much is read at once, since every byte may stand for a thousand.
const SLICE_BYTES: usize = 1024;

/// How a body is written.
#[derive(Debug)]
pub(super) enum Coding {
    /// As it is.
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Deflate(Box<ZlibDecoder<Vec<u8>>>),
    /// In a way that is not read here, or not as it says.
    Unread(String),
}

impl Coding {
    /// How the body is written that comes with these headers.
    pub fn of(headers: &HeaderMap) -> Self {
        let named = headers.get(CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
        let named = named.map(|name| name.trim().to_ascii_lowercase()).unwrap_or_default();
        match &*named {
            "" | "identity" => Self::Plain,
            "gzip" | "x-gzip" => Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            "deflate" => Self::Deflate(Box::new(ZlibDecoder::new(Vec::new()))),
            _ => Self::Unread(named),
        }
    }

    /// The coding that is not read.
    pub fn unread(&self) -> Option<&str> {
        match self {
            Self::Unread(name) => Some(name),
            _ => None,
        }
    }

    /// Hands on what more of the body says, in pieces.
    pub fn read(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        if let Self::Plain = self {
            return each(bytes);
        }
        for slice in bytes.chunks(SLICE_BYTES) {
            match self.decode(slice) {
                Ok(said) => each(&said),
                Err(error) => *self = Self::Unread(format!("{} that cannot be read: {error}", self.name())),
            }
        }
    }

    fn decode(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain => Ok(bytes.to_vec()),
            Self::Unread(_) => Ok(Vec::new()),
            Self::Gzip(decoder) => {
                decoder.write_all(bytes)?;
                decoder.flush()?;
                Ok(mem::take(decoder.get_mut()))
            }
            Self::Deflate(decoder) => {
                decoder.write_all(bytes)?;
                decoder.flush()?;
                Ok(mem::take(decoder.get_mut()))
            }
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Plain => "identity",
            Self::Gzip(_) => "gzip",
            Self::Deflate(_) => "deflate",
            Self::Unread(name) => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use proptest::prelude::*;

    use super::*;

    fn coding(name: &str) -> Coding {
        Coding::of(&HeaderMap::from_iter([(CONTENT_ENCODING, name.try_into().unwrap())]))
    }

    fn read(coding: &mut Coding, pieces: &[&[u8]]) -> Vec<u8> {
        let mut said = Vec::new();
        pieces.iter().for_each(|piece| coding.read(piece, |more| said.extend_from_slice(more)));
        said
    }

    fn written(name: &str, text: &[u8]) -> Vec<u8> {
        let (mut gzip, mut zlib) = (
            GzEncoder::new(Vec::new(), Compression::default()),
            ZlibEncoder::new(Vec::new(), Compression::default()),
        );
        gzip.write_all(text).unwrap();
        zlib.write_all(text).unwrap();
        match name {
            "gzip" => gzip.finish().unwrap(),
            "deflate" => zlib.finish().unwrap(),
            _ => text.to_vec(),
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_however_it_is_split(text: Vec<u8>, times in 1usize..200, at: prop::sample::Index) {
            let text = text.repeat(times);
            for name in ["gzip", "deflate", "identity"] {
                let bytes = written(name, &text);
                let (begin, rest) = bytes.split_at(at.index(bytes.len() + 1));
                let mut coding = coding(name);
                prop_assert_eq!(read(&mut coding, &[begin, rest]), &text[..]);
                prop_assert_eq!(coding.unread(), None);
            }
        }

        #[test]
        fn whatever_comes_ends(bytes: Vec<u8>) {
            for name in ["gzip", "deflate", "br"] {
                read(&mut coding(name), &[&bytes]);
            }
        }
    }

    #[test]
    fn what_cannot_be_read_says_so() {
        let mut other = coding("br");
        assert_eq!((read(&mut other, &[b"abc"]), other.unread()), (Vec::new(), Some("br")));
        let mut broken = coding("GZIP");
        read(&mut broken, &[b"this is none at all"]);
        assert!(broken.unread().unwrap().starts_with("gzip that cannot be read: "));
    }
}

//! From a text to nodes: one document, no aliases, nothing nested without end.

use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use serde_json::{Number, Value};

use super::{Entry, Fault, Kind, Node, Spot};

/// What is nested deeper is no file that a person wrote.
const DEEPEST: usize = 64;
/// What is longer is none either.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Reads the one document of a text; `None` where there is nothing but comments.
pub(crate) fn load(text: &str) -> Result<Option<Node>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MOST_BYTES {
        return Err(Fault {
            at: FIRST,
            what: "the file is over 4 MiB; write several smaller ones".to_owned(),
        });
    }
    if let Some(at) = lone_return(text) {
        let what = "a carriage return without a line feed; save the file with line feeds, or both".to_owned();
        return Err(Fault { at, what });
    }
    if let Some(at) = too_deep(text) {
        return Err(Fault { at, what: format!("this is nested over {DEEPEST} deep; write it flatter") });
    }
    let documents = MarkedYaml::load_from_str(text).map_err(|error| syntax(text, &error))?;
    let mut documents = documents.into_iter();
    let (first, second) = (documents.next(), documents.next());
    if let Some(second) = second {
        let what = "a second document begins here; write one file for each".to_owned();
        return Err(Fault { at: spot(&second), what });
    }
    let lines: Vec<&str> = text.lines().collect();
    first.map(|document| node(&lines, &document, String::new())).transpose()
}

/// From here on a double does not hold every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

const FIRST: Spot = Spot { line: 1, column: 1 };

fn spot(node: &MarkedYaml<'_>) -> Spot {
    Spot { line: node.span.start.line(), column: node.span.start.col() + 1 }
}

/// A line end that YAML knows and editors do not: lines would be counted in two ways.
fn lone_return(text: &str) -> Option<Spot> {
    text.split('\n').enumerate().find_map(|(number, line)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let column = line.chars().position(|c| c == '\r')?;
        Some(Spot { line: number + 1, column: column + 1 })
    })
}

/// Where a text is nested deeper than anybody would: trees that deep cannot even be thrown away without a large stack. Brackets the
/// parser counts itself.
fn too_deep(text: &str) -> Option<Spot> {
    text.lines().enumerate().find_map(|(number, line)| {
        let listed = line.split_whitespace().take_while(|word| matches!(*word, "-" | "?" | ":")).count();
        let indented = line.len() - line.trim_start_matches(' ').len();
        let is_deep = listed > DEEPEST || indented > 16 * DEEPEST;
        is_deep.then_some(Spot { line: number + 1, column: 1 })
    })
}

/// What the parser says, with the commonest reason: a pattern with signs of YAML's own in it.
fn syntax(text: &str, error: &saphyr::ScanError) -> Fault {
    let at = Spot { line: error.marker().line().max(1), column: error.marker().col() + 1 };
    let line = text.lines().nth(at.line - 1).unwrap_or_default();
    let has_bare_pattern = [": /", "[/", ", /", "{ /"].iter().any(|start| line.contains(start));
    let hint = match has_bare_pattern {
        true => "; a pattern with signs of YAML in it stands in quotes: '/a: b/'",
        false if line.contains('\t') => "; YAML is indented with spaces, never with tabs",
        false => "",
    };
    Fault { at, what: format!("this is no YAML: {}{hint}", error.info().trim()) }
}

fn node(lines: &[&str], yaml: &MarkedYaml<'_>, path: String) -> Result<Node, Fault> {
    let at = spot(yaml);
    let refused = |what: &str| Err(Fault { at, what: what.to_owned() });
    let kind = match &yaml.data {
        YamlData::Value(scalar) => Kind::Scalar(value(scalar, at)?),
        YamlData::Sequence(items) => {
            let items = items.iter().enumerate();
            Kind::List(
                items
                    .map(|(index, item)| node(lines, item, format!("{path}[{index}]")))
                    .collect::<Result<_, _>>()?,
            )
        }
        YamlData::Mapping(entries) => {
            let entries = entries.iter().map(|(key, member)| entry(lines, key, member, &path));
            Kind::Map(entries.collect::<Result<_, _>>()?)
        }
        YamlData::Tagged(..) => return refused("tags mean nothing here; write the value without one"),
        YamlData::Alias(_) => return refused("aliases mean nothing here; write the value again"),
        YamlData::Representation(..) | YamlData::BadValue => {
            return refused("this is no value; write a text in quotes");
        }
    };
    swallowed(lines, &kind, at)?;
    Ok(Node { at, path, kind })
}

fn entry(lines: &[&str], key: &MarkedYaml<'_>, member: &MarkedYaml<'_>, path: &str) -> Result<Entry, Fault> {
    let at = spot(key);
    let name = match &key.data {
        YamlData::Value(Scalar::String(name)) if name == "<<" => {
            return Err(Fault {
                at,
                what: "merge keys mean nothing here; write the members again".to_owned(),
            });
        }
        YamlData::Value(Scalar::String(name)) => name.to_string(),
        YamlData::Value(scalar) => match value(scalar, at)? {
            Value::Null => return Err(Fault { at, what: "a key is missing here".to_owned() }),
            other => other.to_string(),
        },
        _ => return Err(Fault { at, what: "a key is a text".to_owned() }),
    };
    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
    Ok(Entry { at, node: node(lines, member, path)?, key: name })
}

fn value(scalar: &Scalar<'_>, at: Spot) -> Result<Value, Fault> {
    Ok(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(flag) => Value::Bool(*flag),
        Scalar::Integer(number) => Value::from(*number),
        Scalar::FloatingPoint(number) if number.0.fract() == 0.0 && number.0.abs() >= EXACT => {
            let what =
                "a number this large is not kept exactly; write it as a text, or { $any: true }".to_owned();
            return Err(Fault { at, what });
        }
        Scalar::FloatingPoint(number) => match Number::from_f64(number.0) {
            Some(number) => Value::Number(number),
            None => return Err(Fault { at, what: "JSON has no such number; write it in digits".to_owned() }),
        },
        Scalar::String(text) => Value::String(text.to_string()),
    })
}

/// A pattern of which YAML took the end for a comment.
fn swallowed(lines: &[&str], kind: &Kind, at: Spot) -> Result<(), Fault> {
    let Kind::Scalar(Value::String(begun)) = kind else { return Ok(()) };
    if !begun.starts_with('/') || begun.matches('/').count() != 1 {
        return Ok(());
    }
    let line = at.line.checked_sub(1).and_then(|line| lines.get(line)).copied().unwrap_or_default();
    let start = line.char_indices().nth(at.column.saturating_sub(1)).map_or(line.len(), |(start, _)| start);
    let rest = line[start..].strip_prefix(begun.as_str());
    let is_cut = rest.is_some_and(|rest| rest.trim_start().starts_with('#'));
    if !is_cut {
        return Ok(());
    }
    let what =
        format!("YAML reads what follows `{begun}` as a comment; a pattern with ` #` in it stands in quotes");
    Err(Fault { at, what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault(text: &str) -> (usize, usize, String) {
        let Fault { at, what } = load(text).unwrap_err();
        (at.line, at.column, what)
    }

    #[test]
    fn every_value_knows_where_it_stands() {
        let root = load("# a file\na: 1\nb:\n  - c: [x, 'ü', z]\n").unwrap().unwrap();
        assert_eq!(root.to_json(), json!({"a": 1, "b": [{"c": ["x", "ü", "z"]}]}));
        let inner = root.get("b").unwrap().items("").unwrap()[0].get("c").unwrap();
        assert_eq!((inner.at, inner.path.as_str()), (Spot { line: 4, column: 8 }, "b[0].c"));
        assert_eq!(inner.items("").unwrap()[2].at, Spot { line: 4, column: 17 });
    }

    #[test]
    fn what_is_no_yaml_says_where_and_why() {
        let (line, _, what) = fault("a: 1\nexpect: { message: /re: upload/ }\n");
        assert_eq!(line, 2, "{what}");
        let (line, column, what) = fault("a: b\nnext: /see #3/\n");
        assert_eq!((line, column), (2, 7));
        assert!(what.contains("comment"), "{what}");
        assert!(fault("a: 1\na: 2\n").2.contains("duplicate"), "{:?}", fault("a: 1\na: 2\n"));
        assert!(fault("a: &x 1\n---\nb: 2").2.contains("second document"));
        assert!(fault("a: !mine {x: 1}").2.contains("tags"), "{:?}", fault("a: !mine {x: 1}"));
    }

    #[test]
    fn lines_are_counted_as_editors_count_them() {
        assert!(load("a: 1\r\nb: 2\r\n").is_ok());
        let (line, column, what) = fault("a: 1\nb:\r 2\n");
        assert_eq!((line, column), (2, 3), "{what}");
    }

    #[test]
    fn what_is_nested_without_end_is_refused() {
        for text in ["- ".repeat(100_000), "[".repeat(100_000), "{a: ".repeat(100_000)] {
            assert!(load(&text).is_err());
        }
        let steps: String = (0..3000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert!(load(&steps).is_err());
    }

    #[test]
    fn nothing_is_no_document() {
        assert_eq!(load("").unwrap(), None);
        assert_eq!(load("# only a comment\n").unwrap(), None);
    }
}

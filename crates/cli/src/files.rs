//! What is told of definition files beside what is found in them.

use std::collections::HashMap;

use frankly_live::config::ReadFile;
use frankly_verdict::Definitions;
use frankly_verdict::lint::cost::Dearest;
use frankly_verdict::report::counted;

/// Lets the pointers to sentences lead into definitions as they were written, as those of findings do.
pub fn lead_into_files(dearest: &mut Dearest, files: &[ReadFile]) {
    let mut forms = HashMap::new();
    for Definitions { tools, written, .. } in files.iter().map(|file| &file.definitions) {
        for (index, written) in written.iter().enumerate() {
            forms.entry((tools.server.clone(), tools.label(index))).or_insert(written.form);
        }
    }
    for sentence in &mut dearest.sentences {
        if let Some(form) = forms.get(&(sentence.server.clone(), sentence.tool.clone())) {
            sentence.pointer = form.pointer(&sentence.pointer);
        }
    }
}

/// What there is to say of a file beside its tools.
pub fn notes_of(read: &ReadFile) -> Vec<String> {
    let ReadFile { definitions, repeated, .. } = read;
    let mut notes = Vec::new();
    if !definitions.provided.is_empty() {
        notes.push(format!(
            "{}: {} there without a schema, {}: the provider of a model defines them",
            definitions.tools.server,
            counted(definitions.provided.len(), "tool"),
            definitions.provided.join(", ")
        ));
    }
    notes.extend(repeated.first.iter().map(|(name, place)| {
        format!(
            "{place}: {name:?} stands twice in one object, and only the last of them counts; leave one out"
        )
    }));
    match repeated.count - repeated.first.len() {
        0 => {}
        more => notes.push(format!("{}: {more} more stand there twice", definitions.tools.server)),
    }
    notes
}

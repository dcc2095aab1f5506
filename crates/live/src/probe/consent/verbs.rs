//! Words that say that something is changed, and the forms they take in a sentence. One list for names and
//! prose alike; where a word stands is for the other two files.

/// How likely a word is to be the verb it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing but a verb.
    Verb,
    /// A verb in names and at the start of a sentence, elsewhere as often a noun or an adjective.
    Either,
    /// Mostly a noun or an adjective.
    Noun,
}

/// Which form of a verb a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `delete`
    Base,
    /// `deletes`
    Third,
    /// `deleting`
    Gerund,
    /// `deleted`
    Participle,
}

const VERBS: &str = "\
    abort acknowledge activate add allocate amend append apply approve assign attach authorize ban buy cancel configure \
    create deactivate decline decrement delete deploy deprovision destroy detach disable dismiss dispatch edit eject \
    enable encrypt enqueue enroll erase evict execute expire expunge flush forget grant increment ingest insert install invalidate \
    invoke kill migrate modify mutate notify overwrite persist prune publish purge reassign reboot rebuild \
    redeploy reject remove rename reopen reorder replace reschedule restart restore revert revoke rotate \
    save send shred submit subscribe suspend terminate toggle truncate unarchive undo uninstall unlink unlock \
    unpublish unstage unsubscribe upsert wipe withdraw write";
const EITHER: &str = "\
    alter archive checkout click clear commit drain drop fix fork invite kick lock mark merge move mute patch \
    pause pay pin pop push put refund reset resume retry rollback set shutdown start stop swap transfer \
    trash trigger update upgrade upload";
const NOUNS: &str = "\
    switch block book change charge close complete copy email empty forward import issue launch log open \
    order place post purchase record register release reply resolve run schedule seed share sign store tag \
    void";
/// Commands of a shell and the like, which are verbs in names and nothing in prose.
const COMMANDS: &str = "chmod chown del exec flushall flushdb mkdir mkfs mv rm rmdir userdel";
/// Third persons that are as often the plural of a noun.
const PLURALS: &str = "\
    pushes archives blocks books changes charges commits copies deploys drops edits emails fixes forks imports \
    inserts installs invites issues kicks launches locks logs marks merges moves opens orders patches pins \
    places posts purchases records refunds registers releases replies resets retries rollbacks runs \
    schedules seeds sets shares signs starts stops stores swaps switches tags transfers triggers updates \
    upgrades uploads writes";
const IRREGULAR_PARTICIPLES: &[(&str, &str)] = &[
    ("forgotten", "forget"),
    ("overwritten", "overwrite"),
    ("paid", "pay"),
    ("rebuilt", "rebuild"),
    ("sent", "send"),
    ("undone", "undo"),
    ("withdrawn", "withdraw"),
    ("written", "write"),
];
/// Verbs that look at something and leave it as it is.
const READING: &str = "\
    analyse analyze browse calculate check compare compute count describe diff estimate explain fetch find \
    get has inspect is list lookup peek preview query read retrieve search show summarise summarize tail \
    validate verify view";
/// Nouns that a verb makes together with the word after it.
const COMPOUNDS: &[(&str, &str)] = &[
    ("commit", "details diff hash history log logs message messages sha stats"),
    ("deploy", "history key keys log logs status"),
    ("merge", "base conflicts request requests"),
    ("push", "event events"),
    ("patch", "notes"),
    ("set", "difference operations theory union"),
    ("start", "date time"),
    ("transfer", "history"),
    ("update", "feed history log"),
];
/// What can be run or resolved without changing anything.
const READ_OBJECTS: &[(&str, &str)] = &[
    (
        "run execute exec",
        "analysis check checks cypher diagnostics explain lint queries query report search select sparql sql",
    ),
    (
        "resolve",
        "address alias dns doi domain host hostname id ids library location name package path ref reference symbol \
      url version",
    ),
];

/// Whether a word is among those of a list.
pub(crate) fn among(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// How likely this base form is to be a verb that changes something; `None` for every other word.
pub(super) fn kind(word: &str) -> Option<Kind> {
    [(VERBS, Kind::Verb), (EITHER, Kind::Either), (NOUNS, Kind::Noun)]
        .into_iter()
        .find_map(|(list, kind)| among(word, list).then_some(kind))
}

/// Whether the word is a command, which is a verb only in names.
pub(super) fn is_command(word: &str) -> bool {
    among(word, COMMANDS)
}

/// Whether the word is a verb that only looks.
pub(super) fn is_reading(word: &str) -> bool {
    among(word, READING)
}

/// Whether two words are one noun, or an action that only looks: `merge requests`, `run sql`.
pub(super) fn is_harmless_pair(word: &str, next: &str) -> bool {
    COMPOUNDS.iter().any(|(firsts, seconds)| among(word, firsts) && among(next, seconds))
        || only_reads(word, next)
}

/// Whether doing this with that object changes nothing: `run` a `query`.
pub(super) fn only_reads(base: &str, object: &str) -> bool {
    READ_OBJECTS.iter().any(|(bases, objects)| among(base, bases) && among(object, objects))
}

/// Whether a third person is as often the plural of a noun.
pub(super) fn is_plural(word: &str) -> bool {
    among(word, PLURALS)
}

/// A writing verb in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verb {
    /// Its base form.
    pub base: String,
    /// How likely it is to be a verb.
    pub kind: Kind,
    /// The form it has.
    pub form: Form,
}

/// The writing verb that a word of a sentence is a form of.
pub(super) fn form(word: &str) -> Option<Verb> {
    let verb = |base: &str, form| kind(base).map(|kind| Verb { base: base.to_owned(), kind, form });
    if let Some((_, base)) = IRREGULAR_PARTICIPLES.iter().find(|(participle, _)| *participle == word) {
        return verb(base, Form::Participle);
    }
    if let Some(verb) = verb(word, Form::Base) {
        return Some(verb);
    }
    let stems = |ending: &str, form: Form| {
        let stem = word.strip_suffix(ending).unwrap_or_default();
        candidates(stem).into_iter().find_map(|base| verb(&base, form))
    };
    let third = || {
        let stem = word.strip_suffix('s')?;
        let bases = [Some(stem.to_owned()), stem.strip_suffix('e').map(str::to_owned), y_form(stem, "ie")];
        bases.into_iter().flatten().find_map(|base| verb(&base, Form::Third))
    };
    third().or_else(|| stems("ed", Form::Participle)).or_else(|| stems("ing", Form::Gerund))
}

/// The base forms that `-ed` and `-ing` may stand after: `add`, `delet(e)`, `dropp`, `modifi`.
fn candidates(stem: &str) -> Vec<String> {
    let mut bases = vec![stem.to_owned(), format!("{stem}e")];
    bases.extend(y_form(stem, "i"));
    let mut ends = stem.chars().rev();
    if let (Some(last), Some(before)) = (ends.next(), ends.next())
        && last == before
    {
        bases.extend(stem.strip_suffix(last).map(str::to_owned));
    }
    bases
}

fn y_form(stem: &str, ending: &str) -> Option<String> {
    stem.strip_suffix(ending).map(|stem| format!("{stem}y"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_recognised_whatever_their_spelling() {
        for (word, expected) in [
            ("delete", Form::Base),
            ("deletes", Form::Third),
            ("deleted", Form::Participle),
            ("deleting", Form::Gerund),
            ("modifies", Form::Third),
            ("modified", Form::Participle),
            ("pushes", Form::Third),
            ("dropped", Form::Participle),
            ("submitting", Form::Gerund),
            ("written", Form::Participle),
        ] {
            assert_eq!(form(word).map(|verb| verb.form), Some(expected), "{word}");
        }
        for word in ["creative", "settings", "address", "deletion", "updater", "lists", "need", ""] {
            assert_eq!(form(word), None, "{word}");
        }
    }
}

//! Whether a description says that its tool changes something: not whether a writing verb occurs in it, but
//! whether the tool is what does it. Names are for `names`.

use super::clauses::{NEGATIONS, OF_OTHERS, Sentence, is_negation};
use super::sentences::{Gap, Word, sentences};
use super::verbs::{Form, Kind, Verb, among, form, is_harmless_pair, is_plural, only_reads};

/// Negations that also stand before a third person: `never deletes`, but `does not delete`.
const STRONG_NEGATIONS: &str = "hardly neither never nor";
/// Words with which an object begins.
const DETERMINERS: &str = "\
    a all an another any both each every everything existing its it many multiple new old one our several \
    some that the their them these this those your";
/// Words with which no object begins: a noun is followed by them.
const AFTER_NOUNS: &str = "\
    about across and are as at between by can for from has have in is near of on or over per since that to \
    was were when which will with within";
/// Nouns that make a noun of the verb before them: `update history`.
const AFTER_COMPOUNDS: &str = "\
    date dates feed frequency history notes overview statistics summary time times";
/// Words before `to` that make of it what somebody else may do.
const TO_OF_OTHERS: &str = "\
    allowed anything commands eligible how id ids instructions item items link links necessary need \
    needed needs permitted ready required safe something steps supposed take takes things time want \
    wants ways what when where whether which who wish";
/// Who `can` do something without this tool.
const OTHERS: &str = "admins administrators clients editors members owners people user users who";
const MODALS: &str = "can could may might will";
/// Words by which a sentence speaks of data that somebody else keeps fresh.
const FRESHNESS: &str = "\
    annually daily every frequently hourly monthly nightly regularly weekly yearly";
/// Words that end like adverbs and are none, or stand before nouns.
const NO_ADVERBS: &str = "\
    apply assembly daily early family hourly likely monthly nightly only quarterly reply supply weekly \
    yearly";
/// Verbs with which a later sentence tells the caller what to write: `Add a filter to narrow the results.`
const OF_CALLERS: &str =
    "add append apply edit execute modify put replace save send set start stop submit write";
/// Nouns that `make` and `perform` make verbs of.
const CHANGES: &str = "booking change changes creation deletion deletions edit edits insertion modification \
                       modifications payment payments purchase removal reservation transfer update updates";
/// Nouns that say by themselves what a tool does: `Deletion of an account`.
const CHANGES_OF: &str = "cancellation creation deletion destruction erasure removal";
/// Words that stand between an object and where it goes: `Post message to Slack`.
const TOWARDS: &str = "as for from in into on to with";
/// Words before a verb that say how much of it is done: `bulk delete`, `hard-deletes`.
const MANNERS: &str = "auto batch bulk force hard mass soft";
/// Verbs that mostly are ones at the start of a description.
const VERBS_AT_THE_START: &str = "import register run";
/// Plurals with `to` after them: `Changes to the schema`.
const PLURALS_WITH_TO: &str = "changes edits fixes replies updates";
/// How many words after a verb its object is looked for.
const OBJECT_REACH: usize = 4;
/// How long a heading is at most, such as `Note`; the sentence after it still counts as the first.
const HEADING_WORDS: usize = 1;
/// What a tool calls itself.
const TOOL_WORDS: &str = "\
    action api command endpoint function helper method operation responsible tool used useful utility";

/// The word by which a description says that its tool changes something.
pub(super) fn writing_word(description: &str) -> Option<String> {
    let sentences = sentences(description);
    let first = sentences.iter().position(|words| words.len() > HEADING_WORDS).unwrap_or_default();
    sentences.iter().enumerate().find_map(|(number, words)| {
        let sentence = Sentence { words, is_first: number <= first };
        let position = (0..words.len()).find(|position| sentence.writes_at(*position))?;
        Some(words[position].text.clone())
    })
}

/// Whether a description is mostly in a script whose words are not known here.
pub(super) fn is_unreadable(description: &str) -> bool {
    let letters = || description.chars().filter(|c| c.is_alphabetic());
    letters().filter(|c| !c.is_ascii()).count() * 2 > letters().count()
}

/// The words of a description after which such a verb stands: if one is the name of a tool, that tool is told to have
/// changed something.
pub(super) fn told_of(description: &str) -> Vec<String> {
    let tells = |pair: &[Word]| {
        let verb = form(&pair[1].text).is_some_and(|verb| verb.form != Form::Base);
        (verb && pair[1].gap == Gap::None).then(|| pair[0].text.clone())
    };
    sentences(description).iter().flat_map(|words| words.windows(2).filter_map(tells)).collect()
}

impl Sentence<'_> {
    fn writes_at(&self, at: usize) -> bool {
        let word = &self.words[at];
        if matches!(word.text.as_str(), "make" | "makes" | "perform" | "performs") {
            return self.makes_changes(at);
        }
        if self.is_phrase(at) {
            return !self.negated(at, NEGATIONS) && !self.conditional(at);
        }
        if among(&word.text, CHANGES_OF) && matches!(self.next(at), Some("of")) && at <= OBJECT_REACH {
            return !self.negated(at, NEGATIONS);
        }
        let text = word.text.split_once('-').filter(|(before, _)| among(before, MANNERS));
        let text = text.map_or(word.text.as_str(), |(_, verb)| verb);
        let Some(Verb { base, kind, form }) = form(text).filter(|_| !word.quoted) else { return false };
        if self.after(at).take(OBJECT_REACH).any(|object| only_reads(&base, object)) {
            return false;
        }
        if self.next(at).is_some_and(|next| is_harmless_pair(&word.text, next)) || self.does_nothing(at) {
            return false;
        }
        match form {
            Form::Third => self.third_writes(at),
            Form::Base => !self.negated(at, NEGATIONS) && !self.refuses() && self.base_writes(at, kind),
            Form::Gerund => kind != Kind::Noun && !self.negated(at, NEGATIONS) && self.gerund_writes(at),
            Form::Participle => !self.negated(at, NEGATIONS) && self.passive_writes(at),
        }
    }

    /// `Deletes old orders`, `saves a note and posts it`.
    fn third_writes(&self, at: usize) -> bool {
        let before = self.before(at);
        let of_others = before.is_some_and(|before| among(before, OF_OTHERS));
        let just_before = before.is_some_and(is_negation);
        if of_others || just_before || self.negated(at, STRONG_NEGATIONS) {
            return false;
        }
        if !is_plural(&self.words[at].text) {
            return true;
        }
        let next = self.next(at);
        let starts = at == 0 || before.is_some_and(is_adverb);
        let joined = self.words[at].gap != Gap::None
            || before.is_some_and(|before| {
                matches!(before, "also" | "and" | "it" | "or" | "that" | "then" | "this" | "which")
                    || among(before, TOOL_WORDS)
            });
        let determined = next.is_some_and(|next| among(next, DETERMINERS));
        if starts {
            let goes = next == Some("to") && !among(&self.words[at].text, PLURALS_WITH_TO);
            return goes
                || self.joins_verb(at)
                || (determined && next != Some("that"))
                || self.has_object(at);
        }
        joined && determined
    }

    /// Whether a verb of moving on has no object: `run for`, `start at`.
    fn is_intransitive(&self, at: usize) -> bool {
        matches!(self.words[at].text.as_str(), "run" | "start" | "stop" | "reset")
            && self
                .next(at)
                .is_none_or(|next| matches!(next, "as" | "at" | "for" | "in" | "long" | "until" | "within"))
    }

    /// `Delete all orders`, `will delete`, `lets you delete`, `list and delete`.
    fn base_writes(&self, at: usize, kind: Kind) -> bool {
        let before = self.before(at);
        let before_that = at.checked_sub(2).map(|at| self.words[at].text.as_str());
        let object = match kind {
            Kind::Verb => true,
            Kind::Either => self.has_object(at) || self.joins_verb(at),
            Kind::Noun => self.next(at).is_some_and(|next| among(next, DETERMINERS)),
        };
        if at == 0 {
            let towards = || {
                let third = self.after(at).nth(1).is_some_and(|third| among(third, TOWARDS));
                let verb = third || among(&self.words[at].text, VERBS_AT_THE_START);
                verb && self.is_first && self.has_object(at)
            };
            let to_caller = !self.is_first && among(&self.words[at].text, OF_CALLERS);
            return (object || towards()) && !to_caller && !self.redirects();
        }
        match before {
            // `A query may run for one second`: it works, and changes nothing else.
            Some(modal) if (modal == "will" || among(modal, MODALS)) && self.is_intransitive(at) => false,
            Some("will") => !self.conditional(at),
            Some(modal) if among(modal, MODALS) => {
                !self.redirects() && !before_that.is_some_and(|subject| among(subject, OTHERS))
            }
            Some("to") => {
                let of_others = before_that.is_some_and(|before| among(before, TO_OF_OTHERS));
                let of_another = before_that == Some("used") && self.is_of_another(at);
                !(of_others || of_another || self.redirects())
            }
            Some(adverb) if is_adverb(adverb) => object && !self.redirects(),
            Some("and" | "or" | "then" | "also") => {
                let to = at.checked_sub(3).is_some_and(|at| self.words[at].text == "to");
                let is_base = |word| form(word).is_some_and(|verb| verb.form == Form::Base);
                let judged = to && before_that.is_some_and(is_base);
                let clear = kind == Kind::Verb || self.next(at).is_some_and(|next| among(next, DETERMINERS));
                clear && !judged && !self.lists_names(at) && !self.redirects() && !self.conditional(at)
            }
            Some("you" | "users" | "agents" | "clients") => {
                matches!(before_that, Some("let" | "lets" | "help" | "helps"))
            }
            Some("let" | "lets" | "help" | "helps") => object,
            _ => false,
        }
    }

    /// `A tool for deleting orders`, `cleans up by deleting what is old`, `Deleting an order.`
    fn gerund_writes(&self, at: usize) -> bool {
        let before_that = at.checked_sub(2).map(|at| self.words[at].text.as_str());
        match self.before(at) {
            None => {
                self.is_first && !self.words.iter().any(|word| is_negation(&word.text)) && !self.refuses()
            }
            Some("by") => true,
            Some("after") => !self.words.iter().any(|word| among(&word.text, "call run use")),
            Some("for") => !self.redirects() && before_that.is_some_and(|word| among(word, TOOL_WORDS)),
            _ => false,
        }
    }

    /// `Old orders will be deleted`, `are permanently deleted`; not `are deleted`, which may be a state.
    fn passive_writes(&self, at: usize) -> bool {
        let fresh = self.words[at..].iter().any(|word| among(word.text.as_str(), FRESHNESS));
        let before: Vec<&str> =
            self.words[..at].iter().rev().take(3).map(|word| word.text.as_str()).collect();
        let passive = match before.as_slice() {
            ["be", "will" | "then" | "also", ..] | ["gets", ..] | ["get", _, ..] => true,
            [adverb, "be", "will", ..] | [adverb, "are" | "is" | "gets", ..] => {
                is_adverb(adverb) && !adverb.ends_with("ently")
                    || *adverb == "permanently"
                    || *adverb == "then"
            }
            _ => false,
        };
        passive && !fresh && !self.of_something_else(at)
    }

    /// `Turns off the light`, `cleans up`, `Deletion of an order`.
    fn is_phrase(&self, at: usize) -> bool {
        let (word, next) = (self.words[at].text.as_str(), self.next(at).unwrap_or_default());
        let noun = at == 0 && self.is_first && next == "of";
        match word {
            "turn" | "turns" => among(next, "off on"),
            "shut" | "shuts" => next == "down",
            "clean" | "cleans" => next == "up",
            "creation" | "deletion" | "insertion" | "modification" | "removal" => noun,
            _ => false,
        }
    }

    /// `Makes changes`, `performs a deletion`.
    fn makes_changes(&self, at: usize) -> bool {
        !self.negated(at, NEGATIONS) && self.after(at).take(OBJECT_REACH).any(|word| among(word, CHANGES))
    }

    /// `Move or rename files`: two verbs in the same form with one object.
    fn joins_verb(&self, at: usize) -> bool {
        let same_form = |word: &Word| {
            let form_of = |word: &Word| form(&word.text).map(|verb| verb.form);
            form_of(word) == form_of(&self.words[at])
        };
        matches!(self.next(at), Some("and" | "or"))
            && self.words.get(at + 2).is_some_and(same_form)
            && self.has_object(at + 2)
    }

    /// `Events such as create and delete`.
    fn lists_names(&self, at: usize) -> bool {
        self.words[..at].iter().any(|word| matches!(word.text.as_str(), "such" | "like" | "including"))
    }

    /// Whether the clause tells what something else is for: `a URL that can be used to upload`.
    fn is_of_another(&self, at: usize) -> bool {
        let relative = (1..at).rev().find(|at| matches!(self.words[*at].text.as_str(), "that" | "which"));
        relative.is_some_and(|at| !among(&self.words[at - 1].text, TOOL_WORDS))
    }

    /// Whether what follows the word can be its object.
    fn has_object(&self, at: usize) -> bool {
        self.next(at).is_some_and(|next| !among(next, AFTER_NOUNS) && !among(next, AFTER_COMPOUNDS))
    }
}

fn is_adverb(word: &str) -> bool {
    among(word, MANNERS) || (word.ends_with("ly") && !among(word, NO_ADVERBS))
}

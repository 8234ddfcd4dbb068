//! The findings of one game while it is judged.

use std::borrow::Cow;

use super::{Finding, Fix, Rule, Severity, Span};
use crate::source::{TextEncoding, excerpt_as};

/// Collects the findings of one game behind those of the games before it.
///
/// Bounded, whatever a game holds: of each rule so many are listed, and the rest are counted.
#[derive(Debug)]
pub struct GameFindings<'a> {
    list: &'a mut Vec<Finding>,
    first: usize,
    game: u32,
    encoding: TextEncoding,
    counts: Vec<RuleCount>,
}

#[derive(Clone, Copy, Debug)]
struct RuleCount {
    rule: &'static Rule,
    times: u64,
    last: usize,
    /// Places that [`GameFindings::gather`] put into the one finding.
    gathered: u64,
}

impl<'a> GameFindings<'a> {
    /// Of one rule in one game, no more findings than this are listed.
    pub const MOST_OF_A_RULE: u64 = 200;

    pub fn new(list: &'a mut Vec<Finding>, game: u32) -> GameFindings<'a> {
        let encoding = TextEncoding::Utf8;
        GameFindings { first: list.len(), list, game, encoding, counts: Vec::new() }
    }

    /// The character set of the game, for what messages repeat of it.
    pub fn set_encoding(&mut self, encoding: TextEncoding) {
        self.encoding = encoding;
    }

    /// Bytes of the game as a message repeats them.
    pub fn text<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        excerpt_as(bytes, self.encoding)
    }

    pub fn push(&mut self, mut finding: Finding) {
        finding.game = Some(self.game);
        let at = self.list.len();
        let count = match self.counts.iter_mut().find(|count| count.rule == finding.rule) {
            Some(count) => count,
            None => {
                self.counts.push(RuleCount { rule: finding.rule, times: 0, last: at, gathered: 1 });
                self.counts.last_mut().expect("one was just pushed")
            }
        };
        count.times += 1;
        if count.times <= GameFindings::MOST_OF_A_RULE {
            count.last = at;
            self.list.push(finding);
        }
    }

    /// Pushes a finding of which a game has only one: at its first place, with the edits of all.
    pub fn gather(&mut self, finding: Finding) {
        let Some(count) = self.counts.iter_mut().find(|count| count.rule == finding.rule) else {
            self.push(finding);
            return;
        };
        count.gathered += 1;
        let first = &mut self.list[count.last];
        if let (Some(fix), Some(more)) = (&mut first.fix, finding.fix) {
            fix.edits.extend(more.edits);
            // It is as safe as the least of its edits.
            if more.applicability < fix.applicability {
                fix.applicability = more.applicability;
                fix.source = more.source;
            }
        }
        if first.fix.as_ref().is_some_and(|fix| fix.edits.len() > Fix::MOST_EDITS) {
            first.fix = None;
        }
    }

    /// The last finding, to say more of it, if it is of this rule.
    pub fn last_of(&mut self, rule: &Rule) -> Option<&mut Finding> {
        self.list[self.first..].last_mut().filter(|finding| finding.rule == rule)
    }

    /// The findings of a rule that are listed.
    pub fn all_of(&self, rule: &Rule) -> impl DoubleEndedIterator<Item = &Finding> {
        self.list[self.first..].iter().filter(move |finding| finding.rule == rule)
    }

    /// Takes back the last finding, if it is of this rule and stands there.
    pub fn take_back(&mut self, rule: &Rule, span: Span) -> bool {
        let Some(last) = self.list[self.first..].last() else { return false };
        let Some(at) = self.counts.iter().position(|count| count.rule == rule) else {
            return false;
        };
        // What is listed no more has no place.
        let count = &mut self.counts[at];
        if last.rule != rule || last.span != span || count.times > GameFindings::MOST_OF_A_RULE {
            return false;
        }
        self.list.pop();
        if count.times == 1 {
            self.counts.swap_remove(at);
        } else {
            count.times -= 1;
            let listed = &self.list[self.first..];
            let last = listed.iter().rposition(|finding| finding.rule == rule);
            count.last = self.first + last.unwrap_or_default();
        }
        true
    }

    /// Takes back the findings from a place on that another finding explains.
    pub fn retract(&mut self, from: usize, explained: impl Fn(&Rule) -> bool) {
        let (first, mut at) = (self.first, 0);
        self.list.retain(|finding| {
            at += 1;
            at <= first || finding.span.start < from || !explained(finding.rule)
        });
        let listed = &self.list[first..];
        self.counts.retain_mut(|count| {
            if !explained(count.rule) {
                // Its places have moved, but none is gone.
                let last = listed.iter().rposition(|finding| finding.rule == count.rule);
                count.last = first + last.unwrap_or_default();
                return true;
            }
            // Those that were counted and not listed stood behind.
            count.times = listed.iter().filter(|finding| finding.rule == count.rule).count() as u64;
            let last = listed.iter().rposition(|finding| finding.rule == count.rule);
            count.last = first + last.unwrap_or_default();
            count.times > 0
        });
    }

    /// Takes back what was pushed, to judge the game anew.
    pub fn discard(self) {
        self.list.truncate(self.first);
    }

    /// Findings that are listed.
    pub fn len(&self) -> usize {
        self.list.len() - self.first
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a finding of this rule was pushed.
    pub fn has(&self, rule: &Rule) -> bool {
        self.counts.iter().any(|count| count.rule == rule)
    }

    /// Findings of this severity, listed or not.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts.iter().filter(|c| c.rule.severity == severity).map(|c| c.times).sum()
    }

    /// Sorts by place, says of the last one of a rule how many more there are, and gives all
    /// counts.
    pub fn finish(self) -> impl Iterator<Item = (&'static Rule, u64)> {
        for count in &self.counts {
            if count.gathered > 1 {
                let message = &mut self.list[count.last].message;
                *message =
                    format!("{message}; {} moves of this game are written so", count.gathered)
                        .into();
            }
            if let Some(more) = count.times.checked_sub(GameFindings::MOST_OF_A_RULE)
                && more > 0
            {
                let last = &mut self.list[count.last];
                last.unlisted = more;
                let message = &mut last.message;
                let s = if more == 1 { "" } else { "s" };
                *message =
                    format!("{message}; {more} more finding{s} of this rule in this game").into();
            }
        }
        self.list[self.first..].sort_by_key(|finding| finding.span.start);
        self.counts.into_iter().map(|count| (count.rule, count.times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::structure::UNKNOWN_TOKEN;

    #[test]
    fn what_is_too_much_to_list_is_counted() {
        let mut list = Vec::new();
        let mut found = GameFindings::new(&mut list, 0);
        for at in 0..300 {
            found.push(Finding::new(&UNKNOWN_TOKEN, Span::new(at, at + 1)));
        }
        assert_eq!(found.finish().collect::<Vec<_>>(), [(&UNKNOWN_TOKEN, 300)]);
        assert_eq!(list.len(), 200);
        assert_eq!(list.iter().map(|finding| finding.unlisted).sum::<u64>(), 100);
        assert!(list[199].message.ends_with("100 more findings of this rule in this game"));
    }

    #[test]
    fn what_is_gathered_is_one_finding_with_the_edits_of_all() {
        use crate::diagnostics::Fix;
        let mut list = Vec::new();
        let mut found = GameFindings::new(&mut list, 0);
        for at in [3, 7] {
            let span = Span::new(at, at + 1);
            found.gather(Finding::new(&UNKNOWN_TOKEN, span).fix(Fix::safe("write it", span, "x")));
        }
        assert_eq!(found.finish().collect::<Vec<_>>(), [(&UNKNOWN_TOKEN, 1)]);
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].fix.as_ref().unwrap().edits.len(), 2);
        assert!(list[0].message.ends_with("; 2 moves of this game are written so"));
    }

    #[test]
    fn what_is_discarded_leaves_the_games_before() {
        let mut list = vec![Finding::new(&UNKNOWN_TOKEN, Span::new(0, 1))];
        let mut found = GameFindings::new(&mut list, 1);
        found.push(Finding::new(&UNKNOWN_TOKEN, Span::new(2, 3)));
        found.discard();
        assert_eq!(list.len(), 1);
    }

    #[test]
    fn findings_come_out_in_the_order_of_their_places() {
        let mut list = Vec::new();
        let mut found = GameFindings::new(&mut list, 0);
        for at in [5, 3, 9] {
            found.push(Finding::new(&UNKNOWN_TOKEN, Span::new(at, at + 1)));
        }
        assert_eq!(found.finish().count(), 1);
        assert_eq!(list.iter().map(|f| f.span.start).collect::<Vec<_>>(), [3, 5, 9]);
    }
}

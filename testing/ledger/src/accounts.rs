//! The accounts the ledger's owner has, the same on every start. What may not enter: real banks, and what a tool
//! says about them.

use serde::{Deserialize, Serialize};

/// What sort of account it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Checking,
    Savings,
    CreditCard,
    Cash,
    Loan,
}

impl Kind {
    /// Every kind, in the order in which the schema lists them.
    pub const ALL: &'static [Self] =
        &[Self::Checking, Self::Savings, Self::CreditCard, Self::Cash, Self::Loan];

    /// The kind as it is written in arguments and answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Savings => "savings",
            Self::CreditCard => "credit_card",
            Self::Cash => "cash",
            Self::Loan => "loan",
        }
    }
}

/// One account; what is owed has a negative balance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Account {
    id: &'static str,
    pub name: &'static str,
    pub kind: Kind,
    /// In dollars, at the end of 2025.
    balance: f64,
}

const fn account(id: &'static str, name: &'static str, kind: Kind, balance: f64) -> Account {
    Account { id, name, kind, balance }
}

/// Every account, in the order of their ids.
pub(crate) const ALL: &[Account] = &[
    account("acc-01", "Everyday Checking", Kind::Checking, 2310.5),
    account("acc-02", "Joint Checking", Kind::Checking, 845.75),
    account("acc-03", "Rainy Day Savings", Kind::Savings, 7200.0),
    account("acc-04", "Holiday Savings", Kind::Savings, 1130.25),
    account("acc-05", "New Roof Savings", Kind::Savings, 4480.0),
    account("acc-06", "Blue Card", Kind::CreditCard, -312.5),
    account("acc-07", "Travel Card", Kind::CreditCard, -96.25),
    account("acc-08", "Shop Card", Kind::CreditCard, 0.0),
    account("acc-09", "Wallet", Kind::Cash, 64.75),
    account("acc-10", "Kitchen Jar", Kind::Cash, 18.5),
    account("acc-11", "Car Loan", Kind::Loan, -5400.0),
    account("acc-12", "Study Loan", Kind::Loan, -2875.5),
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_kind_has_one_name_everywhere() {
        for kind in Kind::ALL {
            assert_eq!(json!(kind), kind.name());
            assert!(ALL.iter().any(|account| account.kind == *kind), "{kind:?} has an account");
        }
    }

    #[test]
    fn ids_are_unique_and_in_order() {
        assert!(ALL.is_sorted_by(|a, b| a.id < b.id));
        assert_eq!(ALL.len(), 12);
    }
}

"""A made-up town that fills the demo: its people, the accounts they follow and what they write."""

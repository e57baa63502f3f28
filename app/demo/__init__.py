"""A made-up town that fills the demo: its people, whom they follow and what they write."""

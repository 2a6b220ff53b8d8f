-- Counts the claims of a delivery over all of its cycles, so that no settlement fits a claim but its own: `attempts`
-- starts over with a retry, and an attempt that is not charged gives its number back.
alter table deliveries add column claims integer not null default 0;

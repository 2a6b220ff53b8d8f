-- Of the visitors that a rule has in a day of UTC, about how many there are, and the share of the largest network. `sample`
-- has hashes of some of them, each with a hash of its network; null when the day is over. The second needs the secret key.
create table rule_addresses (
  rule_id uuid not null,
  day date not null,
  sample jsonb,
  units double precision not null,
  largest double precision not null,
  primary key (rule_id, day)
);

-- What nodes work on in turn has a fence: each claim has a number, and only the newest one can write the row.
alter table measured_rules
  add column claims bigint not null default 0,
  add column failures integer not null default 0;
alter table watched_rules
  add column claims bigint not null default 0,
  add column leased_until timestamptz;
alter table schedules
  add column claims bigint not null default 0,
  add column failures integer not null default 0,
  add column leased_until timestamptz,
  -- When to try again what failed. Until then it is due at `run_at`.
  add column retry_at timestamptz;

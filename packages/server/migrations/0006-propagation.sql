-- Which revision an instance serves and since when; since when it is known, as one that starts late does not say how
-- long a revision took to arrive.
alter table sdk_instances
  add revision integer check (revision >= 0),
  add revision_at timestamptz,
  add first_seen_at timestamptz not null default now();
update sdk_instances set first_seen_at = last_seen_at;

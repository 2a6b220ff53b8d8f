-- What the newest snapshot of a measured rule was compared with. The transaction that tells something also writes here,
-- so nothing is told twice, whichever node does it.
create table watched_rules (
  rule_id uuid primary key,
  -- The snapshot that was judged last.
  as_of timestamptz,
  -- Failures that were told and have not recovered since.
  told text[] not null default '{}',
  -- The last day (UTC) for which a digest was sent or found not to be needed.
  digest_day date,
  -- The counts that the last digest told. The next one needs others.
  digest_figures text,
  -- A rule that cannot be judged is tried again later, so that it does not hold up the others.
  failures integer not null default 0,
  retry_at timestamptz
);

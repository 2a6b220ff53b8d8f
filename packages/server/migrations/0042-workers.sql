-- The nodes that do background work, and when each said so last.
create table workers (
  id uuid primary key,
  heard_at timestamptz not null
);

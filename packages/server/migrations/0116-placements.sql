-- Where a shop shows recommendations, and how the list of each place is made.
create table placements (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  key text not null,
  name text not null,
  -- The most products of a list.
  most integer not null check (most between 1 and 50),
  -- Whether lists use what the service knows of a visitor.
  history boolean not null,
  include_preorder boolean not null,
  -- By name: strategies, filter, boosts, caps and pins.
  variants jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint placements_key_key unique (project_id, key),
  constraint placements_name_key unique (project_id, name)
);

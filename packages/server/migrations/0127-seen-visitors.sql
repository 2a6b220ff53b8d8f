-- Some of the visitors that an environment has seen lately, with their attributes: for suggestions, and to estimate who
-- matches an audience. Not for results.
create table seen_visitors (
  env_id uuid not null,
  unit text not null,
  -- Texts, numbers and booleans by name. Null: a text that looks like an e-mail address, which is not kept.
  attributes jsonb not null,
  seen_at timestamptz not null,
  primary key (env_id, unit)
);
create index seen_visitors_seen_at on seen_visitors (seen_at);
alter table projects add column samples_visitors boolean not null default true;

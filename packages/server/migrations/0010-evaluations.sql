-- A permanent flag is meant to stay, so it is never stale.
alter table flags add column permanent boolean not null default false;

-- When SDKs last said that they had evaluated a flag, to the hour. Apart from the flag's own rows: what SDKs say never
-- waits for an edit, nor an edit for them.
create table flag_evaluations (
  env_id uuid not null,
  flag_id uuid not null,
  last_evaluated_at timestamptz not null,
  primary key (flag_id, env_id),
  foreign key (flag_id, env_id) references flag_environments on delete cascade
);

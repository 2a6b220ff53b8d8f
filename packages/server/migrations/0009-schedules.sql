-- A run or a pause of a flag in an environment, or of one of its rules, at a moment to come. Rows that have ended stay
-- as the record of what happened.
create table schedules (
  id uuid primary key,
  flag_id uuid not null,
  env_id uuid not null,
  rule_id uuid references rules on delete cascade,
  action text not null check (action in ('RUN', 'PAUSE')),
  run_at timestamptz not null,
  timezone text not null,
  note text,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUSPENDED', 'DONE', 'FAILED', 'CANCELLED')),
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (flag_id, env_id) references flag_environments on delete cascade
);
-- One open schedule for each switch.
create unique index schedules_open on schedules (flag_id, env_id, rule_id) nulls not distinct
  where status in ('PENDING', 'SUSPENDED');
create index schedules_due on schedules (run_at) where status = 'PENDING';
create index schedules_rule on schedules (rule_id);

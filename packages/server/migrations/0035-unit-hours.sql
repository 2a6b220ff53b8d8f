-- Exposures of a unit in an hour, so that a bot is found whichever snapshots read them. Only units with several of them
-- in one portion have a row: few people have.
create table unit_hours (
  rule_id uuid not null,
  hour timestamptz not null,
  unit text not null,
  exposures integer not null,
  primary key (rule_id, hour, unit)
);

-- What environments have stored of their quotas of events, for each day of UTC. Nodes add to it every few seconds.
create table event_usage (
  env_id uuid not null,
  day date not null,
  events bigint not null,
  bytes bigint not null,
  primary key (env_id, day)
);

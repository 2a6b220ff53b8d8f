-- Which events an error was counted from, so that an event that is sent again counts once.
create table code_error_events (
  error_id uuid not null references code_errors on delete cascade,
  event_id uuid not null,
  seen_at timestamptz not null,
  primary key (error_id, event_id)
);
create index code_error_events_seen on code_error_events (seen_at);

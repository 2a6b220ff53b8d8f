-- Who met an error, as the beginning of the SHA-256 of the visitor id, so that each visitor counts once.
create table code_error_visitors (
  error_id uuid not null references code_errors on delete cascade,
  unit_hash bytea not null,
  seen_at timestamptz not null,
  primary key (error_id, unit_hash)
);
create index code_error_visitors_seen on code_error_visitors (seen_at);

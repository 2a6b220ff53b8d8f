-- Who looks after a flag. A person who leaves the organization stays its owner, and is shown as gone, until somebody
-- chooses another one. Only the end of the account makes it nobody.
alter table flags add column owner_id uuid references users on delete set null;
create index flags_owner on flags (owner_id) where owner_id is not null;

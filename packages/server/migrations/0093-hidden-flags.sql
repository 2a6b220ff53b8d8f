-- The flag of a web experiment is hidden: people see the experiment in its place.
alter table flags add column kind text not null default 'FLAG' check (kind in ('FLAG', 'WEB'));

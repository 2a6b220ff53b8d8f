-- The published revisions after which the failures of `told` began, by failure. Not all have one.
alter table watched_rules add column since jsonb not null default '{}';

-- When each failure of `told` was told, as ISO 8601 times by its key.
alter table watched_rules add column told_at jsonb not null default '{}';
update watched_rules set told_at = (select jsonb_object_agg(key, as_of) from unnest(told) key)
where told <> '{}' and as_of is not null;

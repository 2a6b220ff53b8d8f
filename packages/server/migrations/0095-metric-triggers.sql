-- What visitors do on pages that the script of web experiments tells by itself, as the event of the metric.
alter table metrics add column trigger jsonb;
create unique index metrics_trigger_key on metrics (project_id, event_key) where trigger is not null;

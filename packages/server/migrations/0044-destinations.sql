-- A webhook is one kind of destination: events also go to chats, tickets, alarms and mail, from the same queue. Nothing is
-- copied, so this takes no longer with a million deliveries.
alter table webhooks rename to destinations;
alter table destinations add column kind text not null default 'WEBHOOK';
alter index webhooks_pkey rename to destinations_pkey;
alter index webhooks_project rename to destinations_project;
alter index webhooks_org rename to destinations_org;
alter table destinations rename constraint webhooks_key_key to destinations_key_key;

alter table webhook_secrets rename to destination_secrets;
alter table destination_secrets rename column webhook_id to destination_id;
alter index webhook_secrets_pkey rename to destination_secrets_pkey;
alter index webhook_secrets_webhook rename to destination_secrets_destination;

alter table deliveries rename column webhook_id to destination_id;

-- What the routes of webhooks see and write: no destination of a different kind, whatever a statement says.
create view webhooks as
  select id, org_id, project_id, key, name, url, events, enabled, disabled_at, disable_reason, consecutive_failures,
    version, secret_id, created_at, updated_at
  from destinations where kind = 'WEBHOOK'
  with check option;

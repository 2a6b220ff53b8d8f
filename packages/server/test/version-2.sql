-- What somebody has who goes on from version 2 of the schema: a published flag, a webhook with a delivery, a token, and
-- enough audit entries that the way to the present version takes its time.
insert into organizations (id, name, features, created_at)
values ('01980000-0000-7000-8000-000000000001', 'Older', '{integrations_api_export}', '2026-01-02T03:04:05Z');

insert into tokens (id, kind, org_id, name, secret_hash, scopes, created_at)
values ('01980000-0000-7000-8000-000000000002', 'SERVICE', '01980000-0000-7000-8000-000000000001', 'old',
  sha256('svc_svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), '{admin:*}', '2026-01-02T03:04:05Z');

insert into projects (id, org_id, short_id, name, type, next_flag_short_id, created_at, updated_at)
values ('01980000-0000-7000-8000-000000000003', '01980000-0000-7000-8000-000000000001', 1, 'Shop', 'FEATURE_FLAG', 2,
  '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z');

insert into flags (id, project_id, short_id, key, name, type, variations, default_variation_id, tags, ever_enabled,
  created_at, updated_at)
values ('01980000-0000-7000-8000-000000000004', '01980000-0000-7000-8000-000000000003', 1, 'kept', 'Kept', 'BOOLEAN',
  '[{"id": "01980000-0000-7000-8000-00000000000a", "name": "On", "key": "on", "value": "true"},
    {"id": "01980000-0000-7000-8000-00000000000b", "name": "Off", "key": "off", "value": "false"}]',
  '01980000-0000-7000-8000-00000000000a', '{}', true, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z');

insert into environments (id, project_id, name, key, color, built_in, sdk_key, revision, data_file, etag, published_at,
  created_at, updated_at)
values ('01980000-0000-7000-8000-000000000005', '01980000-0000-7000-8000-000000000003', 'Production', 'production',
  '#c0392b', true, 'sdk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 7, '', '', '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z');

insert into flag_environments (flag_id, env_id, enabled, draft, live, published, last_published_revision, fragment)
select flags.id, environments.id, true, state, state, true, 7,
  '"kept":{"defaultVariation":"on","enabled":true,"id":"01980000-0000-7000-8000-000000000004","rules":[],'
  '"type":"BOOLEAN","variations":{"off":"false","on":"true"}}'
from flags, environments, jsonb_build_object(
  'variations', variations,
  'pausedVariationId', '01980000-0000-7000-8000-00000000000b',
  'defaultVariationId', '01980000-0000-7000-8000-00000000000a',
  'overrides', '{"environmentAllowlist": [], "ruleAllowlists": []}'::jsonb,
  'rules', '[]'::jsonb) as state;

update environments set data_file = convert_to(
  '{"audiences":{},"environment":{"id":"01980000-0000-7000-8000-000000000005","key":"production"},"events":{},'
  '"exclusionGroups":{},"flags":{' || (select fragment from flag_environments) || '},'
  '"publishedAt":"2026-01-02T03:04:05.678Z","revision":7,"schemaVersion":1}', 'UTF8');
update environments set etag = '"sha256-' || encode(sha256(data_file), 'hex') || '"';

insert into webhooks (id, org_id, project_id, name, url, events, enabled, secret_id, created_at, updated_at)
values ('01980000-0000-7000-8000-000000000006', '01980000-0000-7000-8000-000000000001',
  '01980000-0000-7000-8000-000000000003', 'Chat', 'https://chat.test/hook', '{flag.updated}', false,
  '01980000-0000-7000-8000-000000000007', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z');
insert into webhook_secrets (id, webhook_id, sealed, created_at)
values ('01980000-0000-7000-8000-000000000007', '01980000-0000-7000-8000-000000000006', '\x00', '2026-01-02T03:04:05Z');
insert into deliveries (id, webhook_id, delivery_id, event_type, secret_id, body, status, attempts, created_at)
values ('01980000-0000-7000-8000-000000000008', '01980000-0000-7000-8000-000000000006',
  '01980000-0000-7000-8000-000000000009', 'flag.updated', '01980000-0000-7000-8000-000000000007', '{}', 'DELIVERED', 1,
  now());

insert into audit_entries (id, org_id, project_id, at, actor_type, actor_name, action, object_type, object_id,
  object_name)
select ('01980000-0000-7000-9000-' || lpad(number::text, 12, '0'))::uuid, '01980000-0000-7000-8000-000000000001',
  '01980000-0000-7000-8000-000000000003', '2026-01-02T03:04:05Z', 'service', 'old', 'flag.update', 'flag',
  '01980000-0000-7000-8000-000000000004', 'Kept'
from generate_series(1, 500) as number;

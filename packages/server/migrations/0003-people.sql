-- People who sign in, what they may see, and a record of changes that cannot be altered unnoticed.

-- The second factor: its secret sealed under the secret key; it counts once a first code has confirmed it.
alter table users
  add column totp_sealed bytea,
  add column totp_confirmed_at timestamptz,
  -- The last 30-second step whose code was accepted: a code works once.
  add column totp_last_step bigint,
  add column updated_at timestamptz;

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Who somebody is at an OpenID Connect provider.
create table identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  subject text not null,
  email text not null,
  created_at timestamptz not null,
  constraint identities_subject_key unique (issuer, subject)
);
create index identities_user on identities (user_id);

-- A session is known by the hash of what its cookie holds. One that still waits for the second factor opens nothing.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  secret_hash bytea not null unique,
  stage text not null check (stage in ('SECOND_FACTOR', 'SIGNED_IN')),
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ip text,
  user_agent text
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Single-use links: to create the owner, to join an organization, to set a new password.
create table links (
  id uuid primary key,
  kind text not null check (kind in ('OWNER', 'INVITATION', 'PASSWORD_RESET')),
  secret_hash bytea not null unique,
  org_id uuid references organizations on delete cascade,
  user_id uuid references users on delete cascade,
  email text check (email = lower(email)),
  role_id uuid references roles,
  -- For an invitation; null: all projects.
  project_ids uuid[],
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((kind = 'INVITATION') = (org_id is not null and email is not null and role_id is not null)),
  check ((kind = 'PASSWORD_RESET') = (user_id is not null))
);
create index links_invitations on links (org_id, id) where kind = 'INVITATION';
create unique index links_one_invitation on links (org_id, email) where kind = 'INVITATION' and used_at is null;

-- A member sees all projects of the organization, or the chosen ones.
alter table memberships add column all_projects boolean not null default true;

create table membership_projects (
  org_id uuid not null,
  user_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  primary key (org_id, user_id, project_id),
  foreign key (org_id, user_id) references memberships on delete cascade
);

alter table roles
  add column description text,
  add column version integer not null default 1,
  add column updated_at timestamptz;
alter table organizations
  add column version integer not null default 1,
  add column updated_at timestamptz;

alter table tokens
  add column created_by text,
  -- When the warning of the coming expiry was given.
  add column warned_at timestamptz;
create index tokens_org on tokens (org_id, id) where org_id is not null;
create index tokens_user on tokens (user_id, id) where user_id is not null;
create index tokens_expiry on tokens (expires_at) where revoked_at is null and warned_at is null;

-- Each organization's entries form a chain: an entry's hash covers its content and the hash of the entry before it. The
-- head's row is locked by every change of the organization, so that the order of the chain is the order of the commits.
create table audit_chains (
  org_id uuid primary key references organizations on delete cascade,
  last_seq bigint not null,
  head bytea not null
);
alter table audit_entries
  add column seq bigint,
  add column hash bytea;

create function audit_entry_hash(previous bytea, entry audit_entries) returns bytea language sql immutable
as $$
  select sha256(previous || convert_to(jsonb_build_array(
    entry.seq, entry.id, entry.org_id, entry.project_id, floor(extract(epoch from entry.at) * 1000000)::bigint,
    entry.actor_type, entry.actor_id, entry.actor_name, entry.action, entry.object_type, entry.object_id,
    entry.object_name, entry.before, entry.after, entry.request_id, entry.ip, entry.user_agent
  )::text, 'UTF8'))
$$;

-- What was recorded before there was a chain becomes its beginning.
do $$
declare
  entry audit_entries;
  chain record;
  head bytea;
  number bigint;
begin
  for chain in select distinct org_id from audit_entries loop
    head := ''::bytea;
    number := 0;
    for entry in select * from audit_entries where org_id = chain.org_id order by id loop
      number := number + 1;
      entry.seq := number;
      head := audit_entry_hash(head, entry);
      update audit_entries set seq = number, hash = head where id = entry.id;
    end loop;
    insert into audit_chains (org_id, last_seq, head) values (chain.org_id, number, head);
  end loop;
end
$$;

alter table audit_entries
  alter column seq set not null,
  alter column hash set not null,
  add constraint audit_entries_seq_key unique (org_id, seq);

-- Number and hash of an entry; the head stays locked until the change commits.
create function audit_entries_chain() returns trigger language plpgsql
as $$
declare
  chain audit_chains;
begin
  select * into chain from audit_chains where org_id = new.org_id for update;
  if not found then
    insert into audit_chains (org_id, last_seq, head) values (new.org_id, 0, '') on conflict do nothing;
    select * into chain from audit_chains where org_id = new.org_id for update;
  end if;
  new.seq := chain.last_seq + 1;
  new.hash := audit_entry_hash(chain.head, new);
  update audit_chains set last_seq = new.seq, head = new.hash where org_id = new.org_id;
  return new;
end
$$;
create trigger audit_entries_chained before insert on audit_entries
  for each row execute function audit_entries_chain();

-- Append-only: whoever changes a row has to switch this off first, and the chain still tells.
create function audit_entries_are_final() returns trigger language plpgsql
as $$
begin
  raise exception 'audit entries are never changed';
end
$$;
create trigger audit_entries_final before update on audit_entries
  for each row execute function audit_entries_are_final();

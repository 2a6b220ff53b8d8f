-- Addresses of no member that were asked whether they want mail of an organization, and those that agreed.
create table mail_addresses (
  org_id uuid not null references organizations on delete cascade,
  email text not null check (email = lower(email)),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (org_id, email)
);
create index mail_addresses_open on mail_addresses (org_id) where confirmed_at is null;

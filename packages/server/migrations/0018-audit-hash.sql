-- The same hash. As an SQL function it was planned anew in every transaction that recorded a change; PostgreSQL keeps
-- the plans of a PL/pgSQL function for as long as the connection lives.
create or replace function audit_entry_hash(previous bytea, entry audit_entries) returns bytea language plpgsql immutable
as $$
begin
  return sha256(previous || convert_to(jsonb_build_array(
    entry.seq, entry.id, entry.org_id, entry.project_id, floor(extract(epoch from entry.at) * 1000000)::bigint,
    entry.actor_type, entry.actor_id, entry.actor_name, entry.action, entry.object_type, entry.object_id,
    entry.object_name, entry.before, entry.after, entry.request_id, entry.ip, entry.user_agent
  )::text, 'UTF8'));
end
$$;

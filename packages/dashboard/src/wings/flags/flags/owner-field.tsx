import { NativeSelect } from '@mantine/core'
import { server } from '../../../api.ts'
import { useMay } from '../../../shell/session.ts'
import type { FieldProps } from '../../../ui/form/form.tsx'
import type { Flag } from './flag-queries.ts'

const membersMax = 100

/** Chooses who looks after a flag, by e-mail address. A person who has left stays until another one is chosen. */
export function OwnerField({ owner, ...field }: FieldProps & { owner: Flag['owner'] }) {
  const params = { query: { limit: membersMax } }
  const members = server.useQuery('get', '/api/v1/members', { params }, { enabled: useMay('members:read') })
  const people = (members.data?.data ?? []).map(({ name, email }) => ({ value: email, label: `${name} (${email})` }))
  const isMissing = owner !== null && !people.some(({ value }) => value === owner.email)
  return (
    <NativeSelect
      {...field}
      label="Owner"
      description="The person to ask about this flag."
      data={[
        { value: '', label: 'Nobody' },
        ...(isMissing ? [{ value: owner.email, label: owner.left ? `${owner.name}, who has left` : owner.name }] : []),
        ...people.sort((one, other) => one.label.localeCompare(other.label, 'en')),
      ]}
    />
  )
}

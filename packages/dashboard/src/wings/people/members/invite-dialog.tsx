import { TextInput } from '@mantine/core'
import type { Data } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useOrgParams } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { refresh } from '../../../versioned.ts'
import { HandOnLink } from './hand-on-link.tsx'
import { missingProjects, type Role, StandingFields } from './standing-fields.tsx'

export type SentInvitation = Data<'/api/v1/members/invitations', 'post'>

/** The link of a new invitation, shown where the service sends no mail. */
export function SentLink({ sent, onDone }: { sent: SentInvitation & { link: string }; onDone: () => void }) {
  return (
    <HandOnLink
      label={`Invitation for ${sent.email}`}
      link={sent.link}
      expiresAt={sent.expiresAt}
      to={sent.email}
      onDone={onDone}
    />
  )
}

export const hasLink = (sent: SentInvitation): sent is SentInvitation & { link: string } => sent.link !== null

export function InviteDialog({ roles, onClose }: { roles: readonly Role[]; onClose: () => void }) {
  const [sent, setSent] = useState<SentInvitation & { link: string }>()
  const done = (answer: SentInvitation) => {
    if (hasLink(answer)) return setSent(answer)
    announce(`Invitation sent to ${answer.email}.`)
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={sent ? `Invitation for ${sent.email}` : 'Invite a person'}>
      {sent ? <SentLink sent={sent} onDone={onClose} /> : <InviteForm roles={roles} done={done} />}
    </Dialog>
  )
}

function InviteForm({ roles, done }: { roles: readonly Role[]; done: (sent: SentInvitation) => void }) {
  const client = useQueryClient()
  const params = useOrgParams()
  const least = roles.find(({ name, builtIn }) => builtIn && name === 'VIEWER') ?? roles[0]
  const form = useNewForm({
    object: `new-invitation:${params.org}`,
    initial: { email: '', roleId: least?.id ?? '', projectIds: null as string[] | null },
    rules: { email: required('Enter an e-mail address.'), projectIds: missingProjects },
    send: async (body) => (await api.POST('/api/v1/members/invitations', { body })).data!.data,
    done: async (answer) => {
      await refresh(client, '/api/v1/members/invitations', '/api/v1/roles')
      done(answer)
    },
  })
  return (
    <ApiForm form={form} verb="Invite">
      <TextInput
        {...form.field('email')}
        label="E-mail address"
        description="The address of the new account."
        type="email"
        autoComplete="off"
        {...first}
      />
      <StandingFields
        roles={roles}
        value={form.values}
        errors={{ roleId: form.error('roleId'), projectIds: form.error('projectIds') }}
        change={({ roleId, projectIds }) => {
          form.set('roleId', roleId)
          form.set('projectIds', projectIds)
        }}
      />
    </ApiForm>
  )
}

import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { useRefreshSession, useSession } from '../../../shell/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, useForm } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { missingProjects, type Role, StandingFields } from './standing-fields.tsx'

export type Member = Data<'/api/v1/members', 'get'>[number]

interface MemberDialogProps {
  member: Member
  roles: readonly Role[]
  onClose: () => void
}

/** Changes a member's role and projects. */
export function MemberDialog({ member, roles, onClose }: MemberDialogProps) {
  const done = useDone()
  const { user } = useSession()
  const refreshSession = useRefreshSession()
  const form = useForm({
    initial: { roleId: member.role.id, projectIds: member.projectIds },
    rules: { projectIds: missingProjects },
    send: (body) => api.PATCH('/api/v1/members/{userId}', { params: { path: { userId: member.userId } }, body }),
    done: async () => {
      await done(`${member.name} changed. This applies from their next request.`, '/api/v1/members', '/api/v1/roles')
      onClose()
      if (member.userId === user.id) await refreshSession()
    },
  })
  return (
    <Dialog onClose={onClose} title={`Change ${member.name}`}>
      <ApiForm form={form} verb="Change">
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
    </Dialog>
  )
}

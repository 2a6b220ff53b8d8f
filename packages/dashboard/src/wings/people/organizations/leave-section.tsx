import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { isNotSession, useOrganization, useRefreshSession } from '../../../shell/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { announce } from '../../../ui/notice/announce.tsx'

/** Every member can leave, except the last owner: the service refuses that. */
export function LeaveSection() {
  const organization = useOrganization()
  const client = useQueryClient()
  const navigate = useNavigate()
  const refreshSession = useRefreshSession()
  const [isAsking, setIsAsking] = useState(false)
  if (!organization) return null
  const leave = async () => {
    await api.POST('/api/dashboard/organization/leave')
    announce(`You have left ${organization.name}.`)
    await refreshSession()
    await navigate({ to: '/' })
    client.removeQueries({ predicate: isNotSession })
  }
  return (
    <Section
      title="Leave"
      description="You lose access at once and need an invitation to come back. The last owner cannot leave."
      actions={
        <Button variant="default" onClick={() => setIsAsking(true)}>
          Leave the organization
        </Button>
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={`Leave ${organization.name}?`}
          verb="Leave"
          isDangerous
          act={leave}
          onClose={() => setIsAsking(false)}
        >
          Your personal tokens lose access to this organization at once. Your account and your entries in the audit log
          remain.
        </ConfirmDialog>
      )}
    </Section>
  )
}

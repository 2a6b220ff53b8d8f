import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Section } from '../../../ui/section.tsx'
import { isNotSession, useOrganization, useRefreshSession } from '../sessions/session.ts'

/** Everybody may go, but the last owner: the service says so then. */
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
    await navigate({ to: '/' })
    await refreshSession()
    client.removeQueries({ predicate: isNotSession })
  }
  return (
    <Section
      title="Leave"
      description="You lose what you see and may do here at once. Coming back takes an invitation. The last owner cannot leave."
      actions={
        <Button variant="default" onClick={() => setIsAsking(true)}>
          Leave the organization
        </Button>
      }
    >
      <ConfirmDialog
        opened={isAsking}
        title={`Leave ${organization.name}?`}
        verb="Leave"
        isDangerous
        act={leave}
        onClose={() => setIsAsking(false)}
      >
        Your personal tokens open nothing here any more, from now on. Your account stays, and what you did stays in the
        audit log.
      </ConfirmDialog>
    </Section>
  )
}

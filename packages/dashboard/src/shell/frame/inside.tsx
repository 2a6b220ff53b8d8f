import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Live } from '../live.tsx'
import { SessionContext, useOrganization, useSessionState } from '../session.ts'
import { Shell } from './shell.tsx'

/** The pages for people who are signed in. Others go to the sign-in page first and then come back. */
export function Inside() {
  const { stage, session } = useSessionState()
  const { state } = useRouter()
  const navigate = useNavigate()
  const isIn = stage === 'SIGNED_IN'
  useEffect(() => {
    const { pathname, href } = state.location
    if (!isIn && pathname !== '/sign-in') void navigate({ to: '/sign-in', search: { returnTo: href }, replace: true })
  }, [isIn, state, navigate])
  if (!isIn || !session) return null
  return (
    <SessionContext value={session}>
      <Frame />
    </SessionContext>
  )
}

function Frame() {
  const organization = useOrganization()
  return (
    <Shell>
      {/* The key resets the page when the organization changes. */}
      <Outlet key={organization?.id ?? 'none'} />
      <Live />
    </Shell>
  )
}

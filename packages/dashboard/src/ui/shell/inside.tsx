import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SessionContext, useSessionState } from '../../features/sessions/session.ts'
import { Shell } from './shell.tsx'

/** The pages for people who are signed in. Whoever is not, or no longer, is led to the door, and back afterwards. */
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
      <Shell />
    </SessionContext>
  )
}

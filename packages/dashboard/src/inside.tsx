import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { navigationFor, references } from './navigation.ts'
import { Shell } from './shell/shell.tsx'
import { ProjectSwitch } from './wings/flags/projects/project-switch.tsx'
import { OrganizationSwitch } from './wings/people/sessions/organization-switch.tsx'
import { PersonMenu } from './wings/people/sessions/person-menu.tsx'
import { SessionContext, useOrganization, useSessionState } from './wings/people/sessions/session.ts'

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
    <Shell
      navigation={navigationFor(organization)}
      references={references}
      switches={
        <>
          <OrganizationSwitch />
          {organization && <ProjectSwitch />}
        </>
      }
      person={<PersonMenu />}
    >
      {/* The key resets the page when the organization changes. */}
      <Outlet key={organization?.id ?? 'none'} />
    </Shell>
  )
}

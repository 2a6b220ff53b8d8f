import { useSearch } from '@tanstack/react-router'
import { useSessionState } from '../../../shell/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { IdentitiesSection } from '../oidc/identities-section.tsx'
import { PasswordSection } from '../passwords/password-section.tsx'
import { SecondFactorSection } from '../second-factor/second-factor-section.tsx'

/** The ways in which a person signs in. */
export function SecurityPage() {
  const { providers } = useSessionState()
  const { error } = useSearch({ from: '/inside/account/security' })
  return (
    <Page
      title="Security"
      description={
        <>
          How you sign in. Where you are signed in is under{' '}
          <TextLink to="/account/sessions" inherit underline="always">
            Sessions
          </TextLink>
          .
        </>
      }
    >
      <SecondFactorSection />
      <PasswordSection />
      {providers.length > 0 && <IdentitiesSection failure={error} />}
    </Page>
  )
}

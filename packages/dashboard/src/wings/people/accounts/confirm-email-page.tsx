import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { sessionOptions } from '../../../shell/session.ts'
import { Question } from '../../../ui/door/behind-link.tsx'
import { Door } from '../../../ui/door/door.tsx'
import { useLinkSecret } from '../../../ui/door/link-secret.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { LinkPage } from '../sign-up/link-page.tsx'

/** Opened with the link in the mail to a new address. */
export function ConfirmEmailPage() {
  const secret = useLinkSecret()
  const client = useQueryClient()
  const [confirmed, setConfirmed] = useState<string>()
  if (confirmed !== undefined)
    return (
      <Door title="Address changed" footer={<TextLink to="/account">Go to your account</TextLink>}>
        <Text size="sm" role="status">
          The address of your account is now {confirmed}. Sign in with it from now on.
        </Text>
      </Door>
    )
  return (
    <LinkPage
      kind="EMAIL_CHANGE"
      secret={secret}
      title="Confirm your address"
      howToGetOne="Ask for the change again on your account page."
    >
      {({ email }) => (
        <Question
          title="Confirm your address"
          description={`You sign in with ${email} from then on. Your sessions continue.`}
          verb="Confirm address"
          send={() => api.POST('/api/dashboard/email/confirm', { body: { link: secret! } })}
          done={() => {
            setConfirmed(email ?? '')
            return client.invalidateQueries({ queryKey: sessionOptions.queryKey })
          }}
        />
      )}
    </LinkPage>
  )
}

import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { sessionOptions } from '../../../shell/session.ts'
import { Door } from '../../../ui/door.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { useLinkSecret } from '../../../ui/link-secret.ts'
import { TextLink } from '../../../ui/links.tsx'
import { LinkPage } from '../sign-up/link-page.tsx'

/** Opened with the link in the mail to a new address. A click confirms it, because mail programs open links too. */
export function ConfirmEmailPage() {
  const secret = useLinkSecret()
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
      {({ email }) => <Confirm secret={secret!} email={email ?? ''} onDone={setConfirmed} />}
    </LinkPage>
  )
}

function Confirm({ secret, email, onDone }: { secret: string; email: string; onDone: (email: string) => void }) {
  const client = useQueryClient()
  const form = useForm({
    initial: {},
    rules: {},
    send: () => api.POST('/api/dashboard/email/confirm', { body: { link: secret } }),
    done: () => {
      onDone(email)
      return client.invalidateQueries({ queryKey: sessionOptions.queryKey })
    },
  })
  return (
    <Door title="Confirm your address" description={`You sign in with ${email} from then on. Your sessions continue.`}>
      <ApiForm form={form} verb="Confirm address" isWide>
        {null}
      </ApiForm>
    </Door>
  )
}

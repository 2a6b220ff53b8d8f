import { Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Door } from '../../../ui/door.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { useLinkSecret } from '../../../ui/link-secret.ts'
import { Loaded } from '../../../ui/loaded.tsx'

/** Opened with the link in a mail that asks an address. A click agrees, because mail programs open links too. */
export function ConfirmMailPage() {
  const link = useLinkSecret()
  return link === undefined ? <Unknown /> : <Known key={link} link={link} />
}

function Known({ link }: { link: string }) {
  const query = useQuery({
    queryKey: ['mail-address', link],
    queryFn: async () => {
      const { data } = await api.POST('/api/dashboard/mail-addresses/check', { body: { link } })
      return data!.data
    },
  })
  const [isDone, setDone] = useState(false)
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />
  if (!query.data)
    return (
      <Door title="Agree to mail">
        <Loaded query={query}>{() => null}</Loaded>
      </Door>
    )
  const { email, organization } = query.data
  if (isDone)
    return (
      <Door title="You have agreed">
        <Text size="sm" role="status">
          {organization} can now send notifications to {email}. Every mail has a link that ends it.
        </Text>
      </Door>
    )
  return <Question link={link} email={email} organization={organization} done={() => setDone(true)} />
}

interface QuestionProps {
  link: string
  email: string
  organization: string
  done: () => void
}

function Question({ link, email, organization, done }: QuestionProps) {
  const form = useForm({
    initial: {},
    send: () => api.POST('/api/dashboard/mail-addresses/confirm', { body: { link } }),
    done,
  })
  return (
    <Door
      title="Agree to mail"
      description={`${organization} wants to send notifications about its projects to ${email}. If you do not want them, close this page.`}
    >
      <ApiForm form={form} verb="Agree" isWide>
        {null}
      </ApiForm>
    </Door>
  )
}

const Unknown = () => (
  <Door title="This link does not work">
    <Text size="sm">
      It is incomplete or older than seven days. Ask the people who want to send you mail to save the destination again.
    </Text>
  </Door>
)

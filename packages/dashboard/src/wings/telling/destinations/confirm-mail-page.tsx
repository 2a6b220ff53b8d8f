import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { BehindLink, Question } from '../../../ui/door/behind-link.tsx'
import { Door } from '../../../ui/door/door.tsx'
import { useLinkSecret } from '../../../ui/door/link-secret.ts'

/** Opened with the link in a mail that asks an address. */
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
  return (
    <BehindLink title="Agree to mail" query={query} unknown={<Unknown />}>
      {({ email, organization }) =>
        isDone ? (
          <Door title="You have agreed">
            <Text size="sm" role="status">
              {organization} can now send notifications to {email}. Every mail has a link that ends it.
            </Text>
          </Door>
        ) : (
          <Question
            title="Agree to mail"
            description={`${organization} wants to send notifications about its projects to ${email}. If you do not want them, close this page.`}
            verb="Agree"
            send={() => api.POST('/api/dashboard/mail-addresses/confirm', { body: { link } })}
            done={() => setDone(true)}
          />
        )
      }
    </BehindLink>
  )
}

const Unknown = () => (
  <Door title="This link does not work">
    <Text size="sm">
      It is incomplete or older than seven days. Ask the people who want to send you mail to save the destination again.
    </Text>
  </Door>
)

import { Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { useSessionState } from '../../../shell/session.ts'
import { BehindLink, Question } from '../../../ui/door/behind-link.tsx'
import { Door } from '../../../ui/door/door.tsx'
import { useLinkSecret } from '../../../ui/door/link-secret.ts'
import { TextLink } from '../../../ui/links/links.tsx'

/** Opened with the link at the foot of a mail. */
export function UnsubscribePage() {
  const link = useLinkSecret()
  return link === undefined ? <Unknown /> : <Known key={link} link={link} />
}

function Known({ link }: { link: string }) {
  const params = { path: { link } }
  const query = server.useQuery('get', '/api/dashboard/mailings/{link}', { params })
  const [isDone, setDone] = useState(false)
  return (
    <BehindLink title="Unsubscribe" query={{ ...query, data: query.data?.data }} unknown={<Unknown />}>
      {(mailing) =>
        isDone || mailing.isOver ? (
          <Door title="You are unsubscribed" footer={<ToChoices />}>
            <Text size="sm" role="status">
              {mailing.email} no longer gets {whatOf(mailing)}.
            </Text>
          </Door>
        ) : (
          <Question
            title="Unsubscribe"
            description={`${mailing.email} gets ${whatOf(mailing)}.`}
            footer={<ToChoices />}
            verb="Unsubscribe"
            send={() => api.POST('/api/dashboard/unsubscribe/{link}', { params })}
            done={() => setDone(true)}
          />
        )
      }
    </BehindLink>
  )
}

const Unknown = () => (
  <Door title="This link does not work" footer={<ToChoices />}>
    <Text size="sm">It is incomplete, you have already unsubscribed, or the mail was deleted.</Text>
  </Door>
)

const whatOf = ({ destination, project, organization }: Data<'/api/dashboard/mailings/{link}', 'get'>): string =>
  destination === null
    ? `mail about the project ${project} of ${organization}`
    : `the mail “${destination}” about the project ${project} of ${organization}`

function ToChoices() {
  const { stage } = useSessionState()
  return stage === 'SIGNED_IN' ? (
    <TextLink to="/account/notifications">Choose your mail notifications</TextLink>
  ) : (
    <TextLink to="/sign-in">Go to the sign-in page</TextLink>
  )
}

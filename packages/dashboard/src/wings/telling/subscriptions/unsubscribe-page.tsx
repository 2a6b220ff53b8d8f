import { Text } from '@mantine/core'
import { ApiError, type Data } from '@svc/client'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { useSessionState } from '../../../shell/session.ts'
import { Door } from '../../../ui/door.tsx'
import { ApiForm, useForm } from '../../../ui/form.tsx'
import { useLinkSecret } from '../../../ui/link-secret.ts'
import { TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'

type Mailing = Data<'/api/dashboard/mailings/{link}', 'get'>

/** Opened with the link at the foot of a mail. A click ends the mail, because mail programs open links too. */
export function UnsubscribePage() {
  const link = useLinkSecret()
  if (link === undefined) return <Unknown />
  return <Known key={link} link={link} />
}

function Known({ link }: { link: string }) {
  const query = server.useQuery('get', '/api/dashboard/mailings/{link}', { params: { path: { link } } })
  const [isDone, setDone] = useState(false)
  const mailing = query.data?.data
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />
  if (!mailing)
    return (
      <Door title="Unsubscribe">
        <Loaded query={{ ...query, data: mailing }}>{() => null}</Loaded>
      </Door>
    )
  if (isDone || mailing.isOver) return <Over mailing={mailing} />
  return <Question link={link} mailing={mailing} done={() => setDone(true)} />
}

function Unknown() {
  return (
    <Door title="This link does not work" footer={<ToChoices />}>
      <Text size="sm">
        It is incomplete, or there is nothing to end any more: you have unsubscribed already, or the mail was deleted.
      </Text>
    </Door>
  )
}

function Question({ link, mailing, done }: { link: string; mailing: Mailing; done: () => void }) {
  const form = useForm({
    initial: {},
    send: () => api.POST('/api/dashboard/unsubscribe/{link}', { params: { path: { link } } }),
    done,
  })
  return (
    <Door title="Unsubscribe" description={`${mailing.email} gets ${whatOf(mailing)}.`} footer={<ToChoices />}>
      <ApiForm form={form} verb="Unsubscribe" isWide>
        {null}
      </ApiForm>
    </Door>
  )
}

const Over = ({ mailing }: { mailing: Mailing }) => (
  <Door title="You are unsubscribed" footer={<ToChoices />}>
    <Text size="sm" role="status">
      {mailing.email} no longer gets {whatOf(mailing)}.
    </Text>
  </Door>
)

const whatOf = ({ destination, project, organization }: Mailing): string =>
  destination === null
    ? `mail about the project ${project} of ${organization}`
    : `the mail “${destination}” about the project ${project} of ${organization}`

function ToChoices() {
  const { stage } = useSessionState()
  return stage === 'SIGNED_IN' ? (
    <TextLink to="/account/notifications">Choose what you hear by mail</TextLink>
  ) : (
    <TextLink to="/sign-in">Go to the sign-in page</TextLink>
  )
}

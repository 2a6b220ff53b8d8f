import { Code, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import type { Kind, previewPath } from './destination-path.ts'
import { MessagePicture } from './message-picture.tsx'

/** What an event becomes: as people will read it, and the request. A template has no other form than its request. */
export function Previewed({
  kind,
  preview: { message, request },
}: {
  kind: Kind
  preview: Pick<Data<typeof previewPath, 'post'>, 'message' | 'request'>
}) {
  if (request === null) return <Text size="sm">This kind sends nothing for it.</Text>
  if (kind === 'TEMPLATE') return <Request request={request} />
  return (
    <>
      <MessagePicture kind={kind} message={message} />
      <Disclosure summary="What is sent">
        <Request request={request} />
      </Disclosure>
    </>
  )
}

function Request({ request: { method, url, body } }: { request: { method: string; url: string; body?: unknown } }) {
  return (
    <>
      <Text size="sm" mb="xs">
        <Code>
          {method} {url}
        </Code>
      </Text>
      <JsonView label="Body" value={body} />
    </>
  )
}

import { ApiError } from '@svc/client'
import type { ReactNode } from 'react'
import { ApiForm, useForm } from '../form/form.tsx'
import { Loaded, type Query } from '../layout/loaded.tsx'
import { Door } from './door.tsx'

interface BehindLinkProps<Content> {
  /** Shown while the link is being checked. */
  title: string
  query: Query<Content>
  /** Shown if the service does not know the link. */
  unknown: ReactNode
  children: (content: Content) => ReactNode
}

/** A page behind a link that came by mail, once the service has said what the link is for. */
export function BehindLink<Content>({ title, query, unknown, children }: BehindLinkProps<Content>) {
  if (query.error instanceof ApiError && query.error.status === 404) return unknown
  if (query.data !== undefined) return children(query.data)
  return (
    <Door title={title}>
      <Loaded query={query}>{() => null}</Loaded>
    </Door>
  )
}

interface QuestionProps {
  title: string
  description: string
  footer?: ReactNode
  verb: string
  send: () => Promise<unknown>
  done: () => unknown
}

/** What a link is about to do. It waits for a click, because mail programs open links too. */
export function Question({ verb, send, done, ...door }: QuestionProps) {
  const form = useForm({ initial: {}, send, done })
  return (
    <Door {...door}>
      <ApiForm form={form} verb={verb} isWide>
        {null}
      </ApiForm>
    </Door>
  )
}

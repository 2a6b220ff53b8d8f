import type { ReactNode } from 'react'
import { capital } from '../words/lists.ts'
import { EmptyState } from './empty-state.tsx'
import { Page } from './page.tsx'

interface NotFoundProps {
  /** "flag" */
  noun: string
  /** What the address says: a key, a number, an id. */
  wanted: string
  /** Where it was looked for: "Web shop". */
  place: string
  icon: ReactNode
  /** Links to what has nearly this key, from `nearKeys`. */
  near?: readonly Named[]
  /** Links to what has exactly this key elsewhere. */
  elsewhere?: readonly Named[]
  /** The link to all of them. */
  all: ReactNode
}

interface Named {
  key: string
  link: ReactNode
}

/** The page at the address of an object that is missing or was deleted. */
export function NotFound({ noun, wanted, place, icon, near = [], elsewhere = [], all }: NotFoundProps) {
  return (
    <Page title={`${capital(noun)} not found`}>
      <EmptyState
        icon={icon}
        title={isId(wanted) ? `No such ${noun} in ${place}` : `No ${noun} “${wanted}” in ${place}`}
        action={all}
      >
        {near.length > 0 && <>Did you mean {listed(near)}? </>}
        {elsewhere.length > 0 && <>There is one in {listed(elsewhere)}. </>}
        {near.length + elsewhere.length === 0 && `The address may be wrong, or the ${noun} was deleted.`}
      </EmptyState>
    </Page>
  )
}

/** Nobody can compare an id with what they know, so it is not shown. */
const isId = (wanted: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(wanted)

const listed = (links: readonly Named[]) =>
  links.map(({ key, link }, at) => (
    <span key={key}>
      {at > 0 && ', '}
      {link}
    </span>
  ))

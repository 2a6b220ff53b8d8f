import { changePieces, type WebChange } from '../../../ui/changes/web-change-sentence.ts'
import classes from './change-sentence.module.css'

/** What a change does, as a sentence with its selectors and texts. `page` is the name of its page; null is every page. */
export function ChangeSentence({ change, page }: { change: WebChange; page: string | null }) {
  return (
    <span className={classes.sentence}>
      {changePieces(change, page).map((piece, at) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other identity
        if (typeof piece === 'string') return <span key={at}>{piece}</span>
        return 'code' in piece ? <code key={at}>{piece.code}</code> : <q key={at}>{piece.quote}</q>
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
      })}
    </span>
  )
}

export {
  type CreatedLink,
  checkLink,
  createLink,
  isSetupOpen,
  lockOwnership,
  type NewLink,
  renewLink,
  renewOwnerLink,
  takeLink,
} from './actions.ts'
export { linkUrl } from './link.ts'
export { deleteInvitation, deleteOwnerLinks, deleteResetLinks, type OpenLink, type TakenLink } from './queries.ts'
export { linkSweep } from './worker.ts'

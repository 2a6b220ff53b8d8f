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
export {
  deleteAccountLinks,
  deleteEmailLinks,
  deleteInvitation,
  deleteOwnerLinks,
  type OpenLink,
  type TakenLink,
} from './queries.ts'
export { linkSweep } from './worker.ts'

// What only people who are logged in can do, on top of site.js.

import "./answers.js";
import "./completion.js";
import "./composer.js";
import "./draftlist.js";
import "./drafts.js";
import "./images.js";
import "./immediate.js";
import "./pill.js";
import "./reactions.js";
import "./seen.js";
import "./session.js";
import "./writing.js";
import "./zone.js";

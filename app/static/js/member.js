// What only people who are logged in can do, on top of site.js.

import "./answers.js";
import "./completion.js";
import "./composer.js";
import "./drafts.js";
import "./images.js";
import "./pill.js";
import "./removal.js";
import "./session.js";

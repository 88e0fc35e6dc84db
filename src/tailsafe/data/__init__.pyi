"""What type checkers and editors see of the lazily loaded names."""

from tailsafe.data.assumptions import Assumption as Assumption
from tailsafe.data.assumptions import Caution as Caution
from tailsafe.data.columns import Columns as Columns
from tailsafe.data.coverage import Sufficiency as Sufficiency
from tailsafe.data.coverage import ThinPair as ThinPair
from tailsafe.data.coverage import sufficiency as sufficiency
from tailsafe.data.labels import Labels as Labels
from tailsafe.data.log import Log as Log
from tailsafe.data.log import log_of_batch as log_of_batch
from tailsafe.data.policies import read_policies as read_policies
from tailsafe.data.posing import Posed as Posed
from tailsafe.data.posing import Setting as Setting
from tailsafe.data.posing import pose as pose
from tailsafe.data.reader import read_log as read_log
from tailsafe.data.recorded import from_arrays as from_arrays
from tailsafe.data.recorded import from_gymnasium as from_gymnasium
from tailsafe.data.recorded import from_minari as from_minari
from tailsafe.data.rewards import RewardLaw as RewardLaw
from tailsafe.data.rewards import reward_law as reward_law
